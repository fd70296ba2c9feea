/** What a mail says, before it is text or HTML. Every string is plain text; the renderers escape. */
export interface MailTemplate {
  subject: string
  title: string
  greeting: string
  paragraphs: readonly string[]
  code?: string
  facts?: readonly Fact[]
  action?: Action
  /** A second way out, less prominent than the action. */
  otherAction?: Action
  closing: readonly string[]
  /** Why this person gets this mail. */
  why: string
}

interface Fact {
  label: string
  value: string
}

interface Action {
  /** What stands before the button, if the button needs it. */
  lead?: string
  label: string
  url: string
}
