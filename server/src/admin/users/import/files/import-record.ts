/** A user's record in a file, or the reason why it can't be read. `line` is the record's first line, counted from 1. */
export type ImportRecord = { line: number; value: unknown } | { line: number; refused: string; email?: string | undefined }

export type LineRefusal = { refused: string }
