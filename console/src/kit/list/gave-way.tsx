import { Alert } from '@mui/material'
import { createContext, type ReactNode, type RefObject, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { RouterProviderContext, useListContext, useRouterProvider } from 'react-admin'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../texts.ts'

/**
 * React-admin goes from a page without rows to the first page by itself. `usual`: as it does. `replaces`: the page without rows leaves the
 * browser's history. `stays`: nobody goes anywhere.
 */
type Turn = 'usual' | 'replaces' | 'stays'

const TurnContext = createContext<RefObject<Turn>>({ current: 'usual' })

/**
 * Around a list whose page is in the address. A page that does not exist is replaced by the first one, so that Back leads to where the user
 * was; one that could not be read stays, and can be read again.
 */
export function OwnTurns({ children }: { children: ReactNode }) {
  const router = useRouterProvider()
  const turn = useRef<Turn>('usual')
  const own = useMemo(() => {
    const useNavigate: typeof router.useNavigate = () => {
      const navigate = router.useNavigate()
      return useCallback(
        (to, options) => {
          const isTurn = options?.state?._scrollToTop === true
          if (isTurn && turn.current === 'stays') return
          navigate(to, isTurn && turn.current === 'replaces' ? { ...options, replace: true } : options)
        },
        [navigate],
      )
    }
    return { ...router, useNavigate }
  }, [router])
  return (
    <RouterProviderContext.Provider value={own}>
      <TurnContext value={turn}>{children}</TurnContext>
    </RouterProviderContext.Provider>
  )
}

/** A page without rows gives way to the first one, which says why it is there until another page is opened, or filtered. */
export function GaveWay() {
  const texts = useTexts(kitTexts)
  const { data, error, isFetching, meta, page, filterValues } = useListContext()
  const turn = useContext(TurnContext)
  const hasNoRows = page > 1 && !data?.length
  // Before react-admin looks: the effects of a list's parts come first.
  useEffect(() => {
    if (!hasNoRows) turn.current = 'usual'
    else turn.current = error ? 'stays' : 'replaces'
  }, [turn, hasNoRows, error])
  const [left, setLeft] = useState<{ why: 'pageTooFar' | 'pageMissing'; here: string }>()
  const here = JSON.stringify(filterValues)
  const isEmpty = hasNoRows && data !== undefined && !isFetching
  const why = meta?.isTooFar === true ? 'pageTooFar' : 'pageMissing'
  if (isEmpty && (left?.why !== why || left.here !== here)) setLeft({ why, here })
  if (!isEmpty && left && (left.here !== here || page > 1)) setLeft(undefined)
  if (!left) return null
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      {texts[left.why]}
    </Alert>
  )
}
