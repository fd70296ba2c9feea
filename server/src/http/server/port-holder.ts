import { readdir, readFile, readlink } from 'node:fs/promises'

/** Why a port is unavailable, for the operator. Throws any other fault. */
export async function portFault(error: unknown, host: string, port = 0): Promise<string> {
  if (!(error instanceof Error) || !('code' in error)) throw error
  if (error.code === 'EADDRINUSE') return `expects a free port; ${host}:${port} is in use by ${await holderOf(port)}`
  return `expects an address to listen on; ${host}:${port} can't be had: ${error.message}`
}

async function holderOf(port: number): Promise<string> {
  const holder = await findPortHolder(port)
  if (!holder) return 'another program'
  const { pid, name, isPortaria } = holder
  return `process ${pid} (${isPortaria ? `another Portaria; kill ${pid} stops it` : name})`
}

/** The process that listens on a port. */
export interface PortHolder {
  pid: number
  /** The program's name, without its arguments, which may hold secrets. */
  name: string
  isPortaria: boolean
}

/** Finds the process that listens on a port, where the system says so (Linux) and it belongs to this user; else `undefined`. */
export async function findPortHolder(port: number): Promise<PortHolder | undefined> {
  const sockets = await listeningSockets(port)
  if (sockets.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const links = await linksOf(pid)
    if (links.some((link) => sockets.has(link))) return describe(pid)
  }
  return undefined
}

/** As in the folders of open files: `socket:[inode]`. */
async function listeningSockets(port: number): Promise<Set<string>> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((table) => readFile(table, 'latin1').catch(() => '')))
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = tables.flatMap((table) => table.split('\n')).map((row) => row.trim().split(/\s+/))
  const LISTEN = '0A'
  return new Set(rows.filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTEN).map((row) => `socket:[${row[9]}]`))
}

/** None if the process belongs to another user, or has just ended. */
async function linksOf(pid: string): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
}

async function describe(pid: string): Promise<PortHolder> {
  const [name, command] = await Promise.all(['comm', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')))
  return { pid: Number(pid), name: (name ?? '').trim(), isPortaria: /\/portaria(\.mjs)?\0/.test(command ?? '') }
}
