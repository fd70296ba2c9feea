import type { Streams } from '../command/output.ts'
import { createActivity } from '../command/progress.ts'

/** Waits for an answer of another machine. `whom`: the one that is asked, as a user knows it. */
export type Ask = <T>(whom: string, work: () => Promise<T>) => Promise<T>

/** Says at a terminal who is being asked, from the second second on, until all have answered. Several may be asked at once. */
export function createAsking(streams: Pick<Streams, 'stderr'>): Ask {
  const asked: string[] = []
  let activity: ReturnType<typeof createActivity> | undefined
  const show = () => activity?.doing(`asking ${asked[0]}${asked.length > 1 ? ` and ${asked.length - 1} more` : ''}`)
  return async (whom, work) => {
    activity ??= createActivity(streams)
    asked.push(whom)
    show()
    try {
      return await work()
    } finally {
      asked.splice(asked.indexOf(whom), 1)
      if (asked.length > 0) show()
      else {
        activity?.end()
        activity = undefined
      }
    }
  }
}
