"""What all maps share: SVG, frame, signs, labels, colours."""
