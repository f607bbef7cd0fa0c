"""What tests are made with: servers, letters, forgers, maps; no tests."""
