import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallAdmin } from '../console-context.ts'

/**
 * Reads an object that is not a resource of react-admin, as `overview`: `useRead<Overview>('overview')`. The path is made by `adminPath`,
 * plus its query.
 */
export function useRead<Answer>(path: string, freshness: Freshness = {}): UseQueryResult<Answer, Error> {
  const callAdmin = useCallAdmin()
  return useQuery({ queryKey: ['read', path], queryFn: ({ signal }) => callAdmin<Answer>({ path, signal }), ...freshness })
}

interface Freshness {
  staleTime?: number
  refetchOnWindowFocus?: boolean
}

/** For what is read for its name alone: a list has dozens of them, which seldom change. */
export const SELDOM: Freshness = { staleTime: 300_000, refetchOnWindowFocus: false }
