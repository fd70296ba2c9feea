import { useTexts } from '../i18n/use-texts.ts'
import { Absent } from '../kit/show/values.tsx'
import { MAX_WAITING } from './endpoint.ts'
import { endpointTexts } from './texts.ts'

/** How many deliveries wait. */
export function Waiting({ count }: { count: number }) {
  const texts = useTexts(endpointTexts)
  if (count === 0) return <Absent />
  return count >= MAX_WAITING ? texts.orMore(MAX_WAITING) : count
}
