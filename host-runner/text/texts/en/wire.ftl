### Parts of a sentence about a connection between two of our processes.

wire-cannot-connect = cannot connect: { $error }
wire-broke = the connection broke: { $error }
wire-closed = the other side closed the connection
wire-no-answer = no answer within { $seconds } s
wire-foreign = the socket belongs to uid { $uid }, not to you
