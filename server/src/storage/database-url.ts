import path from 'node:path'

/**
 * The location of the data: a SQLite file, or one or more PostgreSQL servers, of which one at a time takes writes. `connections`: the most
 * that this process opens at a time.
 */
export type DatabaseAddress = { dialect: 'sqlite'; file: string } | PostgresAddress

interface PostgresAddress {
  dialect: 'postgres'
  /** As it was given. */
  url: string
  connections?: number
}

/** An address for messages and records: the whole path of the file, or servers and database without user and password. */
export function describeAddress(address: DatabaseAddress): string {
  if (address.dialect === 'sqlite') return `sqlite:${path.resolve(address.file)}`
  const servers = serverUrls(address.url).map((url) => new URL(url))
  return `postgres://${servers.map(({ host }) => host).join()}${servers[0]?.pathname ?? ''}`
}

/** Reads a DATABASE_URL (`sqlite:./data/portaria.db`, `postgres://…`); `undefined` when it is neither. */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    return file === '' ? undefined : { dialect: 'sqlite', file }
  }
  return /^postgres(ql)?:\/\//.test(text) && serverUrls(text).every((url) => URL.canParse(url))
    ? { dialect: 'postgres', url: text }
    : undefined
}

/**
 * An address for each server that a PostgreSQL address names, as libpq reads them: `postgres://USER:PASSWORD@ONE:5432,OTHER:5432/NAME`. Its
 * `target_session_attrs` is left out: with several servers, connections always go to the one that takes writes.
 */
export function serverUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([^:]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? []
  const rest = after.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&]$/, '')
  return hosts.split(',').map((host) => before + host + rest)
}
