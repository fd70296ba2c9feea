/** Spreadsheets need it to read accents. */
export const BYTE_ORDER_MARK = '\u{feff}'

/**
 * One line of CSV (RFC 4180). Spreadsheets take a cell that begins with one of `= + - @`, a tab or a carriage return for a formula. Those
 * get an apostrophe in front, so that a name chosen by a user is never run on the operator's machine. Where the decimal sign is a comma, as
 * in Brazil, spreadsheets split cells at `;` and ignore quotes in the middle of one: so a text after `;`, in quotes of its own or not, is
 * treated as the beginning of a cell, too.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** The value of a row at a path of names, as `beta.nda_accepted_at`. */
export function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), row)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function cellOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  const safe = withoutFormulas(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text of a cell with an apostrophe wherever a spreadsheet would begin a formula. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=(?:"|[^\S\r\n])*[=+\-@＝＋－＠]|[\t\r])/g, "'")
}
