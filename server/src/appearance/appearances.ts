import type { ChangeFeed } from '../changes/index.ts'
import type { MailLook } from '../mail/index.ts'
import type { Look } from '../pages/index.ts'
import type { Storage } from '../storage/index.ts'
import { lookIn, ownLogoIn } from './make-look.ts'
import { appearanceStore, type StoredAppearances } from './store.ts'

/** The looks of all pages, in memory: a page asks no database for its own. */
interface Appearances {
  /** The look of a product's pages; without a product the operator's. */
  lookOf(productId?: string): MailLook
  /** The logo that a product has of its own. */
  logoOf(productId: string): Look['logo']
  /** Waits until this node has read every change that it knows of. It never rejects: with the database away the last looks stay. */
  refresh(): Promise<void>
}

const NOTHING: StoredAppearances = { operator: {}, products: new Map(), images: new Map() }

/** A change is read at once, not at the next page: even an error page of this node then has the new look. */
export function createAppearances({
  storage,
  changes,
  onFault,
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
  onFault: (error: unknown) => void
}): Appearances {
  let stored = NOTHING
  let looks = new Map<string | undefined, MailLook>()
  let isStale = true
  let reading: Promise<void> | undefined
  const read = async () => {
    while (isStale) {
      isStale = false // a change from here on is read by the next round
      const found = await appearanceStore(storage.db).read('all')
      stored = found
      looks = new Map()
    }
  }
  const refresh = () => {
    if (!isStale && !reading) return Promise.resolve()
    reading ??= read()
      .catch((error) => {
        isStale = true // tried again for the next page
        onFault(error)
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  changes.follow(({ kind }) => {
    if (kind !== 'appearance_changed' && kind !== 'everything_changed') return
    isStale = true
    void refresh()
  })
  return {
    refresh,
    logoOf: (productId) => ownLogoIn(stored, productId),
    lookOf(productId) {
      const scope = productId !== undefined && stored.products.has(productId) ? productId : undefined
      const known = looks.get(scope)
      if (known) return known
      const made = lookIn(stored, scope)
      looks.set(scope, made)
      return made
    },
  }
}
