"""What is asserted, a file a topic. Each has `run(world, report)`."""
