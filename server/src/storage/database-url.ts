import path from 'node:path'

/** The location of the data: a SQLite file, or a PostgreSQL server's address. */
export type DatabaseAddress = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string }

/** An address for messages and records: the whole path of the file, or server and database without user and password. */
export function describeAddress(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return `sqlite:${path.resolve(address.file)}`
  const { host, pathname } = new URL(address.url)
  return `postgres://${host}${pathname}`
}

/** Reads a DATABASE_URL (`sqlite:./data/portaria.db`, `postgres://…`); `undefined` when it is neither. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    return file === '' ? undefined : { dialect: 'sqlite', file }
  }
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? { dialect: 'postgres', url: text } : undefined
}
