/** The library with all that is used of it. */
export type Library = typeof import('oidc-provider')

let loading: Promise<Library> | undefined

/** Loads the library at the first call, and never in an installation without a product that asks for it: it takes 20 MB. */
export function loadLibrary(): Promise<Library> {
  loading ??= import('oidc-provider')
  return loading
}
