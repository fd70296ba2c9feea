import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useCallAdmin, useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { pageGroups } from '../pages.ts'
import { may, scopeOf } from '../roles.ts'
import type { SearchResult } from '../search/search-result.ts'
import { searchTexts } from '../search/texts.ts'
import { useResultLabel } from '../search/use-result-label.ts'
import { matches } from './matching.ts'
import type { PageAction } from './page-actions.ts'
import { paletteTexts } from './palette-texts.ts'

/** One thing that can be chosen. */
export interface Choice {
  id: string
  label: string
  about: string | undefined
  run: () => void
}

export interface Group {
  title: string
  choices: readonly Choice[]
}

/** The search waits for a pause this long, and for a text this long. */
const PAUSE_MS = 200
const LEAST = 2
const MOST_FOUND = 8

/** The results for a text: actions of the page in view, pages that the role may see, and records from the service's search. */
export function useResults(
  typed: string,
  actions: readonly PageAction[],
): { groups: readonly Group[]; isSearching: boolean; hasFailed: boolean } {
  const texts = useTexts(paletteTexts)
  const search = useTexts(searchTexts)
  const labelOf = useResultLabel()
  const navigate = useNavigate()
  const pages = usePages().filter(({ label }) => matches(label, typed))
  const { found, isSearching, hasFailed } = useFound(typed)
  const groups = [
    {
      title: texts.actions,
      choices: actions
        .filter(({ label, section = '' }) => matches(`${label} ${section}`, typed))
        .map(({ id, label, section, run }) => ({ id, label, about: section, run })),
    },
    {
      title: texts.found,
      choices: found.slice(0, MOST_FOUND).map((result) => {
        const { name, about } = labelOf(result)
        return {
          id: `found-${result.type}-${result.id}`,
          label: name,
          about: [search.types[result.type], about].filter((part) => part !== '').join(' · '),
          run: () => void navigate(result.path),
        }
      }),
    },
    { title: texts.pages, choices: pages },
  ]
  return { groups: groups.filter(({ choices }) => choices.length > 0), isSearching, hasFailed }
}

function usePages(): readonly Choice[] {
  const texts = useTexts(paletteTexts)
  const { role } = useMe()
  const translate = useTranslate()
  const navigate = useNavigate()
  const listed = pageGroups
    .flatMap(({ resources = [] }) => resources)
    .filter(({ name, list }) => {
      const scope = scopeOf(name, 'list')
      return list !== undefined && (scope === undefined || may(role, scope))
    })
  const go = (path: string) => () => void navigate(path)
  return [
    { id: 'page-home', label: texts.home, about: undefined, run: go('/') },
    ...listed.map(({ name }) => ({
      id: `page-${name}`,
      label: translate(`resources.${name}.name`, { smart_count: 2 }),
      about: undefined,
      run: go(`/${name}`),
    })),
  ]
}

function useFound(typed: string): { found: readonly SearchResult[]; isSearching: boolean; hasFailed: boolean } {
  const callAdmin = useCallAdmin()
  const [asked, setAsked] = useState('')
  const text = typed.trim()
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const isAsked = asked.length >= LEAST && text.length >= LEAST
  const { data, isError } = useQuery({
    queryKey: ['read', 'palette', asked],
    queryFn: ({ signal }) => callAdmin<{ data: SearchResult[] }>({ path: `search?${new URLSearchParams({ q: asked })}`, signal }),
    enabled: isAsked,
    retry: false,
  })
  const isCurrent = asked === text
  return {
    found: isAsked && isCurrent ? (data?.data ?? []) : [],
    isSearching: text.length >= LEAST && (!isCurrent || (data === undefined && !isError)),
    hasFailed: isAsked && isCurrent && isError,
  }
}
