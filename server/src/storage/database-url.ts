/** The location of the data: a SQLite file, or a PostgreSQL server's address. */
export type DatabaseAddress = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string }

/** Reads a DATABASE_URL (`sqlite:./data/portaria.db`, `postgres://…`); `undefined` when it is neither. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    return file === '' ? undefined : { dialect: 'sqlite', file }
  }
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? { dialect: 'postgres', url: text } : undefined
}
