import { useEffect, useState } from 'react'
import { useRefresh } from 'react-admin'

const LOOK_MS = 2_000
/** A gateway that has not answered by then is asked with long pauses: the user need not wait for it. */
const MAX_LOOKS = 45

/** Reads the page anew every two seconds while it waits for something, for a minute and a half. Answers whether it still does. */
export function useLookAgain(isWaiting: boolean): boolean {
  const refresh = useRefresh()
  const [looks, setLooks] = useState(0)
  const isLooking = isWaiting && looks < MAX_LOOKS
  useEffect(() => {
    if (!isWaiting) setLooks(0)
  }, [isWaiting])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look waits for the next one
  useEffect(() => {
    if (!isLooking) return
    const timer = setTimeout(() => {
      setLooks((count) => count + 1)
      refresh()
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [isLooking, looks])
  return isLooking
}
