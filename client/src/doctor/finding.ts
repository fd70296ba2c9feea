/** One thing that was looked at. `mend`: what to do about it. */
export interface Finding {
  about: string
  state: 'good' | 'doubtful' | 'bad'
  text: string
  mend?: string | undefined
}

export function good(about: string, text: string): Finding {
  return { about, state: 'good', text }
}

export function doubtful(about: string, text: string, mend: string): Finding {
  return { about, state: 'doubtful', text, mend }
}

export function bad(about: string, text: string, mend: string): Finding {
  return { about, state: 'bad', text, mend }
}
