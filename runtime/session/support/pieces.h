/* SPDX-License-Identifier: MIT */
/*
 * JSON that is copied as it stands: the frame of an answer, and that of one text, which most tools answer
 * with. Every request pays for them. The writer of text.h would cost the text alone some 450 instructions
 * more.
 */
#ifndef MCPW_PIECES_H
#define MCPW_PIECES_H

/* {"jsonrpc":"2.0","id":ID,"result":{...}} */
#define MCPW_PIECE_ANSWER "{\"jsonrpc\":\"2.0\",\"id\":"
#define MCPW_PIECE_RESULT ",\"result\":{"
#define MCPW_PIECE_RESULT_END "}}"
/* The end, where the codec has ended the result. */
#define MCPW_PIECE_ANSWER_END "}"

/* Content that is one text. */
#define MCPW_PIECE_TEXT_CONTENT "\"content\":[{\"type\":\"text\",\"text\":"
#define MCPW_PIECE_TEXT_CONTENT_END "}]"

/* An object with one member, whose name alone counts. */
#define MCPW_PIECE_ALONE(name) "{\"" name "\":0}"

#endif
