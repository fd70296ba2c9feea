import { type RefObject, useLayoutEffect } from 'react'

/**
 * Says how wide the window has to be for all of a table, whenever the table is cut off: it is measured with each page of rows, and when the
 * window changes, before anybody sees it.
 */
export function useRoom(container: RefObject<HTMLElement | null>, rows: unknown, onTooWide: (room: number) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have another width
  useLayoutEffect(() => {
    const measure = () => {
      const { scrollWidth = 0, clientWidth = 0 } = container.current ?? {}
      if (scrollWidth > clientWidth) onTooWide(innerWidth + scrollWidth - clientWidth)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [container, rows, onTooWide])
}
