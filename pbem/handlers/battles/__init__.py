"""Orders about running and past battles, but for those that fight them."""
