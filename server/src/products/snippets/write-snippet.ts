import { clientSnippet } from './client-snippet.ts'
import { openIdSnippet } from './openid-snippets.ts'
import { proxyLines } from './proxy-snippets.ts'
import type { Snippet, SnippetPlace, SnippetSettings } from './snippet.ts'
import { SNIPPET_DOORS, SNIPPET_KINDS, type SnippetKind } from './snippet-kinds.ts'

/** The kinds whose lines work with the product's present settings. */
export function snippetKindsOf({ product, forwardAuth }: Pick<SnippetSettings, 'product' | 'forwardAuth'>): SnippetKind[] {
  return SNIPPET_KINDS.filter((kind) => {
    const way = SNIPPET_DOORS[kind]
    if (way.door === 'forward_auth') return forwardAuth !== undefined
    return way.door === 'client' ? product.openid === undefined && !forwardAuth : way.openid.kind === product.openid?.kind
  })
}

/** The lines for one kind of app, with the product's own values in them. */
export function writeSnippet(kind: SnippetKind, settings: SnippetSettings, place: SnippetPlace): Snippet {
  const way = SNIPPET_DOORS[kind]
  const [uri] = settings.redirectUris
  if (way.door === 'client') return { kind, ...clientSnippet(settings.product, uri?.uri ?? `${EXAMPLE_APP}${way.callbackPath}`, place) }
  if (way.door === 'openid') {
    const redirectUri = uri?.uri ?? `${EXAMPLE_APP}${way.callbackPath ?? '/callback'}`
    return { kind, ...openIdSnippet(kind, { ...settings, redirectUri, issuer: place.baseUrl }) }
  }
  const host = settings.forwardAuth?.hosts[0] ?? 'wiki.example.com'
  return { kind, values: [], files: [proxyLines(kind, { host, slug: settings.product.slug, proxyUrl: place.proxyUrl })] }
}

const EXAMPLE_APP = 'https://app.example.com'
