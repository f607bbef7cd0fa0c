"""What the pages do, for programs: JSON under ``/api/v1``, with a document that describes it."""
