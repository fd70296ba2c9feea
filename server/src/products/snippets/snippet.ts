import type { ProductSettings } from '../product.ts'
import type { SnippetKind } from './snippet-kinds.ts'

/** The lines that connect an app, for its files, and the values for its settings page. No line has a live secret. */
export interface Snippet {
  kind: SnippetKind
  /** In the app's own words for each field. */
  values: ReadonlyArray<{ name: string; value: string }>
  /** `name` is the file, or the program that takes the lines. */
  files: ReadonlyArray<{ name: string; lines: string }>
}

/** `proxyUrl`: the address at which a proxy on Portaria's own machine reaches it. */
export interface SnippetPlace {
  baseUrl: string
  proxyUrl: string
}

export type SnippetSettings = Pick<ProductSettings, 'product' | 'redirectUris' | 'forwardAuth'>

/** Stands for an API key, which is shown once when it is made. */
export const SECRET_PLACEHOLDER = 'sk_…'
