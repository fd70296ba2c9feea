import type { BrandImage } from '../../../appearance/index.ts'
import type { Difference } from '../form/compare.ts'
import type { Configuration, Secrets } from '../form/configuration.ts'
import type { MadeEndpoint } from './apply-endpoints.ts'
import type { MadeProduct } from './apply-products.ts'

/** A file with the secrets and images that it names. An image is named by its hash, where it was read. */
export interface ConfigurationFile {
  configuration: Configuration
  secrets: Secrets
  /** By their hashes. */
  images: ReadonlyMap<string, BrandImage>
}

export interface ApplyOptions {
  /** Whether what the manager declared before and the file no longer names is removed. */
  prunes: boolean
  /** Whether what another manager has declared is taken from them. */
  takesOver: boolean
}

export interface Differing {
  differences: Difference[]
  /** Paths that the manager declared before and the file no longer names. They stay. */
  unlisted: string[]
}

export interface Applied extends Differing {
  /** With keys and secrets that are shown this once. */
  products: MadeProduct[]
  endpoints: MadeEndpoint[]
  /** Paths of endpoints that were stopped and could not be removed yet. The next application with `prunes` removes them. */
  unremoved: string[]
}
