import { type ChangeFeed, createMemory } from '../../changes/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Product } from '../product.ts'
import { forwardedTarget, type RedirectTarget } from '../redirect-target.ts'
import type { ForwardAuth } from './forward-auth.ts'
import { forwardAuthStore } from './forward-auth-store.ts'
import { forwardedOrigin } from './forwarded-host.ts'

/** A registered host, with its product and the rule that it has now. */
export interface ForwardedHost {
  name: string
  /** In the service's own scheme. */
  origin: string
  product: Product
  rule: Pick<ForwardAuth, 'access' | 'plans'>
}

/** The hosts of all products behind a proxy, held in memory whole: so an unknown host costs no query either. */
export interface ForwardedHosts {
  /** The host in exactly this form; `unread`: the memory must be read first (`find`). Asks no database. */
  remembered(host: string): ForwardedHost | undefined | 'unread'
  find(host: string): Promise<ForwardedHost | undefined>
  /** Whether no product has changed since this host was read. */
  isCurrent(host: ForwardedHost): boolean
  /** The target of an address on a registered host, in its parsed form; `undefined` for any other text. */
  findTarget(address: string): Promise<{ target: RedirectTarget; host: ForwardedHost } | undefined>
}

const MAX_ADDRESS = 4_000

export function createForwardedHosts({
  storage,
  changes,
  baseUrl,
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
  baseUrl: string
}): ForwardedHosts {
  const hosts = createMemory<ReadonlyMap<string, ForwardedHost>>(
    async () => {
      const rows = await forwardAuthStore(storage.db).listHosts()
      return new Map(rows.map(({ host, product, rule }) => [host, { name: host, origin: forwardedOrigin(host, baseUrl), product, rule }]))
    },
    { changes, kind: 'product_changed' },
  )
  const find = async (host: string) => (await hosts.get()).get(host)
  return {
    remembered(host) {
      const known = hosts.current()
      return known ? known.get(host) : 'unread'
    },
    find,
    isCurrent: (host) => hosts.current()?.get(host.name) === host,
    async findTarget(address) {
      // Parsers drop control characters and turn backslashes: the shown address would not be the one it leads to.
      if (address.length > MAX_ADDRESS || /[\p{Cc}\s\\]/u.test(address) || !URL.canParse(address)) return undefined
      const url = new URL(address)
      if (url.username !== '' || url.password !== '') return undefined
      const host = await find(url.host)
      return host && url.origin === host.origin ? { target: forwardedTarget(url.href, host.product), host } : undefined
    },
  }
}
