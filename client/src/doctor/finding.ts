/** One finding. `fix`: what to do about it. */
export interface Finding {
  about: string
  state: 'good' | 'doubtful' | 'bad'
  text: string
  fix?: string | undefined
}

export function good(about: string, text: string): Finding {
  return { about, state: 'good', text }
}

export function doubtful(about: string, text: string, fix: string): Finding {
  return { about, state: 'doubtful', text, fix }
}

export function bad(about: string, text: string, fix: string): Finding {
  return { about, state: 'bad', text, fix }
}
