import { useEffect, useState } from 'react'

const TYPING_MS = 400

/** A value that follows another once nothing was typed for a moment. */
export function useDelayed<T>(value: T): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return delayed
}
