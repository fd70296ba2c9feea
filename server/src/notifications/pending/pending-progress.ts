import { z } from 'zod'

/** The progress of a search through pending notifications: the id of the last one, and whether any was processed since the search began. */
export const progress = z.object({
  source: z.string(),
  productId: z.string(),
  names: z.array(z.string()),
  after: z.string(),
  hasProcessed: z.boolean(),
})

export type Progress = z.infer<typeof progress>
