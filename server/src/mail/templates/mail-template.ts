/** The content of a mail, before it is text or HTML. Every string is plain text; the renderers escape. */
export interface MailTemplate {
  subject: string
  title: string
  greeting: string
  paragraphs: readonly string[]
  code?: string
  facts?: readonly Fact[]
  action?: Action
  /** A second link, less prominent than the action. */
  otherAction?: Action
  closing: readonly string[]
  /** Why the recipient gets this mail. */
  why: string
}

interface Fact {
  label: string
  value: string
}

interface Action {
  /** The lines before the button, if it needs any. */
  lead?: string
  label: string
  url: string
}
