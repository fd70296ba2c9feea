import { type ChangeFeed, createReadyMemory, type ReadyMemory } from '../changes/index.ts'
import type { MailLook } from '../mail/index.ts'
import type { Look } from '../pages/index.ts'
import type { Storage } from '../storage/index.ts'
import { lookIn, ownLogoIn } from './make-look.ts'
import { appearanceStore, type StoredAppearances } from './store.ts'

/** The looks of all pages, in memory: a page asks no database for its own. */
interface Appearances extends Pick<ReadyMemory<unknown>, 'refresh'> {
  /** The look of a product's pages; without a product the operator's. */
  lookOf(productId?: string): MailLook
  /** The logo that a product has of its own. */
  logoOf(productId: string): Look['logo']
}

const NOTHING: StoredAppearances = { operator: {}, products: new Map(), images: new Map() }

/** A change is read at once, not at the next page: even an error page of this node then has the new look. */
export function createAppearances({
  storage,
  ...deps
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
  onFault: (error: unknown) => void
}): Appearances {
  const read = async () => inMemory(await appearanceStore(storage.db).read('all'))
  const { last, refresh } = createReadyMemory(inMemory(NOTHING), read, { ...deps, kind: 'appearance_changed' })
  return {
    refresh,
    logoOf: (productId) => ownLogoIn(last().stored, productId),
    lookOf(productId) {
      const { stored, looks } = last()
      const scope = productId !== undefined && stored.products.has(productId) ? productId : undefined
      const known = looks.get(scope)
      if (known) return known
      const made = lookIn(stored, scope)
      looks.set(scope, made)
      return made
    },
  }
}

/** The looks are made when a page first asks for them, and once. */
function inMemory(stored: StoredAppearances) {
  return { stored, looks: new Map<string | undefined, MailLook>() }
}
