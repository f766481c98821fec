"""Other frameworks as programs that speak the case protocol (docs/protocol.md). What each can do: README.md."""
