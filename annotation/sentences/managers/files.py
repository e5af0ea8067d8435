"""Of files that are imported: lines, documents, pictures, tables, known answers (formats)."""

from __future__ import annotations

from annotation.sentences.rendering import Plural, Sentence

SENTENCES: dict[str, Sentence] = {
    # What a library says in a sentence of its own.
    "told.sentence": "{sentence}",
    # A file as a whole.
    "file.not_opened": "{file} can't be opened: {why}.",
    "file.unreadable": "{file} can't be read: {why}.",
    "file.encoding": "{file} is written in {encoding}. Save it as UTF-8.",
    "file.not_utf8": "{file} is not UTF-8 from byte {byte} on. Save it as UTF-8.",
    "file.packed": "{file} is packed with {packer}. Unpack it, or pack it with gzip.",
    "file.broken_off": "{file}, after line {line}: it can't be read on: {why}.",
    "judgments.width": ("Integers have 1, 2 or 4 bytes, but those of '{name}' have {width}."),
    "judgments.size": "Judgments should have {expected} bytes, but have {found}.",
    "judgments.directory": "The list of vectors does not end within {found} bytes.",
    "file.damaged": (
        "{file}, after line {line}: the packed data are damaged ({why}). Copy the file again."
    ),
    "file.cut": ("{file}, after line {line}: the packed data end too early. Copy the file again."),
    "file.bomb": (
        "{file}, after line {line}: {packed:,} packed bytes have become {unpacked:,}, more than "
        "{most} times as many. Unpack the file first if it is meant to be so."
    ),
    "file.time_over": "{file}, after line {line:,}: the time for reading it is over.",
    "file.large_array": (
        "{file} is one list of more than {most} MB. Write one document a line, as JSON lines."
    ),
    "file.large_table": "{file} is larger than {most} MB. Cut the table into parts.",
    "file.no_array": "{file} does not begin as a JSON list. Write [ and ] around its documents.",
    "file.array_open": (
        "{file}, line {line}: expected a comma or the end of the list after a document. The file "
        "may be cut."
    ),
    "file.no_column": (
        "{file} has no column '{column}' for the {use}. It has: {columns}. Choose one of them."
    ),
    "file.broken_table": "{file}, line {line}: the table can't be read on: {why}.",
    "file.no_texts": (
        "{file} holds no text, or more than {most:,} files. Pack each NAME.txt with its NAME.ann."
    ),
    "file.bad_zip": "{file} is no zip archive that can be read ({why}). Pack the files again.",
    "file.zip_from_pipe": "{file}: a zip archive can't be read from a pipe. Name the file.",
    "dialect.spans": (
        "The marked spans are not as in the first document. Each has a start, an end and a label."
    ),
    "dialect.pair": 'Expected a pair of a text and {{"entities": …}}, as spaCy writes it.',
    "conllu.columns": Plural(
        "The line has {number} column; CoNLL-U has ten, with tabs between.",
        "The line has {number} columns; CoNLL-U has ten, with tabs between.",
        "number",
    ),
    "conllu.number": "'{number}' is no number of a word, such as 3, 3-4 or 5.1.",
    "webanno.columns": Plural(
        "The line has {number} column; a token's line has its number, its offsets and its text.",
        "The line has {number} columns; a token's line has its number, its offsets and its text.",
        "number",
    ),
    "webanno.no_type": "A span has no label. Give it one, or export the layer that has labels.",
    "brat.line": (
        "Line {line}: expected T1, a tab, TYPE START END, a tab and the text; found '{text}'. "
        "Spans in several pieces can't be read."
    ),
    "file.line": "{file}, line {line}: {why}",
    # A line.
    "line.long": "The line is longer than {most:,} bytes.",
    "line.long_document": "The line is longer than {most:,} bytes. Cut the document into parts.",
    "line.too_long": "The line is too long.",
    "line.too_long_text": "The line is too long. Cut its text into parts.",
    "line.nul": "Byte {byte} of the line is NUL. Save the file as UTF-8.",
    "line.not_utf8": "Byte {byte} of the line, 0x{value:02X}, is no UTF-8. Save the file as UTF-8.",
    # JSON.
    "json.broken": "This is no JSON: {why} (character {character}).",
    "json.deep": "This is nested too deep to be read. Make it flatter.",
    "json.long_number": "A number has too many digits.",
    "json.no_object": "This is no object. Write one object a line, as {{…}}.",
    "json.double": Plural(
        "'{name}' stands {number} time in one object.",
        "'{name}' stands {number} times in one object.",
        "number",
    ),
    "json.large_number": "{value} is too large a number.",
    "json.no_number": "{name} is no number in JSON. Write null.",
    # A document.
    "id.missing": "There is no id. Give each document its own.",
    "id.type": "This is neither a text nor a whole number.",
    "id.length": Plural(
        "The id has {number} character. Use 1 to {most}.",
        "The id has {number} characters. Use 1 to {most}.",
        "number",
    ),
    "id.unseen": ("'{id}' has a blank at an end, or a character that can't be seen. Leave it out."),
    "id.dots": (
        "'{id}' is '.' or '..', or has one of them between slashes: browsers drop them from the "
        "address of the document's page. Choose another id."
    ),
    "title.long": "The title has {number} characters. Use at most {most}.",
    "value.no_text": "This is no text.",
    "value.no_object": "This is no object. Give names with values.",
    "value.deep": "This is nested more than {most} levels deep. Make it flatter.",
    "text.none": "There is neither text nor tokens. Give one of the two.",
    "words.none": "There are no words in it.",
    "words.to_join": "There are no words to join. Give words, or the text as well.",
    "tokens.no_list": "This is no list. Give a list of words, or of [start, end] pairs.",
    "tokens.many": "There are more than {most:,} tokens. Cut the document into parts.",
    "tokens.disagree": (
        "The text goes on with '{text}' at {start}, and not with '{word}'. Tokens and text have to "
        "agree."
    ),
    "tokens.text_goes_on": "The text goes on after the last token: '{text}'.",
    "token.blank": "'{word}' begins or ends with a blank. Leave it out.",
    "token.empty": "This token is empty. Leave it out.",
    "token.line_break": "There is a tab or a line break in this token. Cut it there.",
    "token.no_pair": "This is no [start, end] pair of whole numbers.",
    "token.outside": Plural(
        "[{start}, {end}] is empty or lies outside the text of {number} character.",
        "[{start}, {end}] is empty or lies outside the text of {number} characters.",
        "number",
    ),
    "token.overlaps": (
        "[{start}, {end}] begins before the end of the token before, {last}. Tokens stand in order "
        "and do not overlap."
    ),
    "sentences.no_pairs": "This is no list of [first token, last token] pairs.",
    "sentences.gap": (
        "[{first}, {last}] does not go on at token {expected}. Sentences hold all tokens, each "
        "once, and the second number is the first token after."
    ),
    "sentences.end": "They end at token {last} of {number}.",
    "starts.no_numbers": "This is no list of token numbers.",
    "starts.order": (
        "The numbers have to begin with 0, to grow, and to stay under {number}, the number of "
        "tokens."
    ),
    "answer.no_mentions": "There are neither mentions nor tags in it.",
    "answer.form": "This is neither a list of tags nor an answer.",
    # CoNLL.
    "conll.columns": Plural(
        "The line has {number} column, those before have {before}.",
        "The line has {number} columns, those before have {before}.",
        "number",
    ),
    "conll.no_word": "The word is missing: the first column is empty.",
    "conll.tag": "'{tag}' is no tag. The last column holds O, B-…, I-… or ?.",
    "conll.long": (
        "The document is longer than {most:,} bytes. Mark where each document begins by a line "
        "'# id = …'."
    ),
    "conll.many_words": (
        "The document is longer than {most:,} words. Mark where each document begins by a line "
        "'# id = …'."
    ),
    # Suggestions: what a system found in documents that are here.
    "tags.none": "There are no tags in it.",
    "guess.text": "The document has another text. Leave the text out, or correct it.",
    "guess.words": Plural(
        "It has {number} word, the document has {there}.",
        "It has {number} words, the document has {there}.",
        "number",
    ),
    "guess.word": "Word {position} is '{word}', in the document '{there}'.",
    # A list of names.
    "names.columns": Plural(
        "The line has {number} column. Write a name, a tab and its type.",
        "The line has {number} columns. Write a name, a tab and its type.",
        "number",
    ),
    "names.missing": "There is no name.",
    "names.type": "'{type}' is no type of the schema: {types}.",
    "names.two_types": "'{name}' is {type} in line {line}. Give it one type.",
    "names.key_long": "The key has {number} characters. Use at most {most}.",
    # Tasks of a choice campaign.
    "choices.nothing": "There is nothing to look at. Give a text, a pair or an image.",
    "choices.few_sides": "The list holds {number}. Give two texts.",
    "choices.no_gold": "Practice, exam and explanations need a known answer. Give gold too.",
    "choices.practice_and_exam": (
        "Practice tells the right answer, so the task can't be for the exam too. Leave one out."
    ),
    # Pictures.
    "picture.damaged": "It begins as a picture ({kind}) but is damaged. Save it anew.",
    "picture.empty": "It is 0 pixels wide or high. Save it anew.",
    "picture.unknown": ("It is no picture that browsers show. Save it as PNG, JPEG, GIF or WebP."),
    # Known answers.
    "gold.no_answer": "The known answer is missing. Write it as an object.",
    "gold.table_column": (
        "{file}: the column {column} is missing. A table of known answers has the columns item and "
        "gold."
    ),
    "gold.tolerance": "{tolerance} is no tolerance. Give 0 to {most}.",
    # A knowledge base that consensus is compared with.
    "evidence.no_object": "This is no object. Name the document and the two mentions.",
}
