import { failures, frame, type Templates } from './frame.ts'
import { checkedUrl } from './plain.ts'
import { formatMoment } from './times.ts'

export const administratorTemplates: Templates<'role_given' | 'endpoint_failing' | 'endpoint_disabled'> = {
  role_given: (data, voice) => {
    const labels = voice.labels.role_given
    return {
      ...frame(labels, data, voice),
      paragraphs: [labels.lead[data.role], labels.secondFactor],
      action: { label: labels.button, url: checkedUrl(data.url) },
      closing: [labels.notYou],
    }
  },
  endpoint_failing: (data, voice) => {
    const { endpoint_failing: labels, facts: names } = voice.labels
    const facts = [...failures(data, voice), { label: names.disablesAt, value: formatMoment(data.disablesAt, voice) }]
    const action = { label: labels.button, url: checkedUrl(data.url) }
    return { ...frame(labels, data, voice), paragraphs: [labels.lead], facts, action: { ...action, lead: labels.todo }, closing: [] }
  },
  endpoint_disabled: (data, voice) => {
    const labels = voice.labels.endpoint_disabled
    const action = { lead: labels.todo, label: labels.button, url: checkedUrl(data.url) }
    const facts = failures(data, voice)
    return { ...frame(labels, data, voice), paragraphs: [labels.lead[data.cause]], facts, action, closing: [] }
  },
}
