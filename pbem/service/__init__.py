"""The league at work: the daemon and its jobs, rounds of letters and deadlines, and its health."""
