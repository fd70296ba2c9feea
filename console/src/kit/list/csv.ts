/** A column of an export. */
export interface CsvColumn<Row> {
  name: string
  value: (row: Row) => string | number | boolean | null | undefined
}

/**
 * Rows as CSV (RFC 4180). Spreadsheets take a cell that begins with one of `= + - @`, a tab or a carriage return for a formula. Those get
 * an apostrophe in front, so that a name chosen by a user is never run on the operator's machine. Where the decimal sign is a comma, as in
 * Brazil, spreadsheets split cells at `;` and ignore quotes in the middle of one: so a text after `;` is treated as the beginning of a
 * cell, too.
 */
export function toCsv<Row>(columns: ReadonlyArray<CsvColumn<Row>>, rows: readonly Row[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))]
  return lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = String(value ?? '')
  const safe = text.replaceAll(/(?<=^|[;\t\r\n])(?=[^\S\r\n]*[=+\-@＝＋－＠]|[\t\r])/g, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
