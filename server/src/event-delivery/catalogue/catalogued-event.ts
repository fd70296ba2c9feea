import type { z } from 'zod'

/** An event as its receivers know it. */
export interface CataloguedEvent {
  /** When it is sent, as docs/events.md has it. */
  when: string
  /** The form of its `data`. */
  data: z.ZodObject
  /** An example of its `data`. */
  example: Record<string, unknown>
}
