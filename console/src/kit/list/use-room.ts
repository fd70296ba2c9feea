import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, as it is now; 0 before it was measured, which is before anybody sees it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    return current ? measured([current], () => setWidth(current.clientWidth)) : undefined
  }, [element])
  return width
}

/**
 * Says how much room a table needs, in pixels, whenever it is cut off by its container: when its rows come, before anybody sees it, and
 * when it or its room changes.
 */
export function useOverflow(
  container: RefObject<HTMLElement | null>,
  rows: unknown,
  onTooWide: ((needed: number) => void) | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have another width
  useLayoutEffect(() => {
    const { current } = container
    if (!current || !onTooWide) return
    return measured([current, ...current.children], () => {
      if (current.scrollWidth > current.clientWidth) onTooWide(current.scrollWidth)
    })
  }, [container, rows, onTooWide])
}

/** Calls `measure` now and whenever the size of one of the elements changes. Answers how to end that. */
function measured(elements: readonly Element[], measure: () => void): () => void {
  measure()
  const observer = new ResizeObserver(measure)
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}
