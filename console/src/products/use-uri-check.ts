import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import type { OpenId } from './product.ts'

type OpenIdKind = OpenId['kind']

/** Long enough to type a word, short enough that nobody waits. */
const PAUSE_MS = 250

/** The API's check of an address. */
export interface CheckedUri {
  ok: boolean
  refusal: string | null
  use: string | null
  on_domain: boolean | null
  registered_for: string | null
}

export type UriVerdict = 'empty' | 'checking' | 'not_checked' | CheckedUri

/** Asks, while an address is being typed, whether it could be registered. Nothing is registered by asking. */
export function useUriCheck(uri: string, { productId, kind }: { productId?: string; kind?: OpenIdKind | undefined }): UriVerdict {
  const callAdmin = useCallAdmin()
  const debounced = useDebounced(uri)
  const { data, isError } = useQuery({
    queryKey: ['check-uri', productId, kind, debounced],
    enabled: debounced !== '',
    staleTime: 0,
    queryFn: ({ signal }) =>
      callAdmin<CheckedUri>({
        path: adminPath('products', 'check-redirect-uri'),
        method: 'POST',
        body: { uri: debounced, ...(productId !== undefined && { product_id: productId }), ...(kind && { openid_kind: kind }) },
        signal,
      }),
  })
  if (uri === '') return 'empty'
  if (debounced !== uri) return 'checking'
  return data ?? (isError ? 'not_checked' : 'checking')
}

/** A value once it has not changed for a moment. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
