"""The service around the engine: it reads letters, keeps the database and writes letters."""
