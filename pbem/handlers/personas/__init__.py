"""Orders about pilots and other personas: their enlistment, designs, rewards and medals."""
