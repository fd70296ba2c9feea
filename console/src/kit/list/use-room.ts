import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, as it is now; 0 before it was measured, which is before anybody sees it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = () => setWidth(current.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/**
 * Says how much room a table needs, in pixels, whenever it is cut off: it is measured with each page of rows, and when its room changes,
 * before anybody sees it.
 */
export function useOverflow(container: RefObject<HTMLElement | null>, rows: unknown, onTooWide: (needed: number) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have another width
  useLayoutEffect(() => {
    const { current } = container
    if (!current) return
    const measure = () => {
      if (current.scrollWidth > current.clientWidth) onTooWide(current.scrollWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [container, rows, onTooWide])
}
