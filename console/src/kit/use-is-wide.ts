import { useTheme } from '@mui/material/styles'
import { useMemo, useSyncExternalStore } from 'react'

/**
 * Whether the window has room for two columns. While a dialog is open the answer stays: a window that is turned or resized would put the
 * button of the dialog elsewhere, and what is typed would be lost with it.
 */
export function useIsWide(): boolean {
  const { breakpoints } = useTheme()
  const width = breakpoints.values.lg
  const store = useMemo(() => wideStore(`(min-width:${width}px)`), [width])
  return useSyncExternalStore(store.subscribe, store.isWide)
}

function wideStore(query: string) {
  const media = matchMedia(query)
  let last = media.matches
  return {
    isWide: () => {
      if (document.querySelector('[role=dialog]') === null) last = media.matches
      return last
    },
    subscribe: (changed: () => void) => {
      media.addEventListener('change', changed)
      // A dialog that closes leaves the document a moment later, and the focus has gone back by then.
      document.addEventListener('transitionend', changed)
      document.addEventListener('focusin', changed)
      return () => {
        media.removeEventListener('change', changed)
        document.removeEventListener('transitionend', changed)
        document.removeEventListener('focusin', changed)
      }
    },
  }
}
