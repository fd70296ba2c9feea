import { actionLabels } from '../audit/actions/action-labels.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { jobTexts } from '../jobs/texts.ts'
import { labelOf } from '../payments/label-of.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { timelineTexts } from '../timeline/texts.ts'
import type { SearchResult } from './search-result.ts'

/** The name of a result, and what is said beside it, in words: the API has names of its own for events, sources, actions and tasks. */
export function useResultLabel(): (found: SearchResult) => { name: string; about: string } {
  const { events, sources, states } = useTexts(paymentTexts)
  const { statuses } = useTexts(timelineTexts)
  const { kinds } = useTexts(jobTexts)
  const actions = useTexts(actionLabels)
  const nameOf = ({ type, title }: SearchResult) => {
    if (type === 'notification') return labelOf(events, title)
    if (type === 'audit') return labelOf(actions, title)
    return type === 'job' ? labelOf(kinds, title) : title
  }
  return (found) => {
    const { type, subtitle, state } = found
    // For a notification it begins with its source.
    const about = type === 'notification' ? subtitle.replace(/^\w+/, (source) => labelOf(sources, source)) : subtitle
    const stateLabel = state === null ? '' : labelOf(type === 'subscription' ? states : statuses, state)
    return { name: nameOf(found), about: [about, stateLabel].filter((part) => part !== '').join(' · ') }
  }
}
