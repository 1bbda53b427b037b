### What the wire types say about what a person typed, or about bytes that cannot be read.

# word is in quotes. known is a list of words that are the same in every language, here and below.
protocol-unknown-state = unknown state { $word }; known: { $known }
protocol-unknown-word = unknown word { $word }; known: { $known } #tag
protocol-unknown-value = unknown value { $word }; known: { $known }

## Parts of a sentence about a connection.

protocol-frame-too-long = a frame of { $bytes } bytes is over the limit of { $most } bytes
protocol-frame-unreadable = a frame does not parse: { $error }
protocol-message-unwritable = a message cannot be encoded: { $error }
