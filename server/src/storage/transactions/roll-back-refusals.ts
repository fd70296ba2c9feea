/** Runs `work`; a refusal in the middle of its transaction rolls it back and is answered as a value. */
export async function rollBackRefusals<T, R extends { refusal: string }>(
  work: (refuse: (refusal: R) => never) => Promise<T>,
): Promise<T | R> {
  class Refused extends Error {
    readonly refusal: R
    constructor(refusal: R) {
      super(refusal.refusal)
      this.refusal = refusal
    }
  }
  try {
    return await work((refusal) => {
      throw new Refused(refusal)
    })
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
