/** Why a password is too easy to guess; `undefined` when it is not. */
export type PasswordWeakness = 'common' | 'personal'

/** The work grows faster than the text: sixty characters that resemble other letters take a third of a second. */
const MAX_LENGTH = 40
/** The maximum length of an address. */
const MAX_PERSONAL = 254
/** zxcvbn's scale of 0 to 4: a password below 3 falls to an offline attack on a slow hash within days. */
const LEAST_SCORE = 3
/** Characters beyond the user's own names and addresses. */
const LEAST_OF_ONES_OWN = 6

/**
 * Judges how soon a password would be guessed (zxcvbn), with the user's own data as first guesses. The first call loads the large library.
 * Only the beginning of a very long password or name is judged. It needs much CPU: the service calls `judgePassword` for it.
 */
export async function findWeakness(password: string, personal: readonly string[]): Promise<PasswordWeakness | undefined> {
  loading ??= load()
  const judge = await loading
  const personalParts = personal.flatMap((text) => plain(text.slice(0, MAX_PERSONAL)).split(/[^a-z0-9]+/)).filter((part) => part.length > 2)
  const beginning = password.slice(0, MAX_LENGTH)
  if (isMadeOf(plain(beginning), personalParts)) return judge(beginning, []) < LEAST_SCORE ? 'common' : 'personal'
  if (judge(beginning, personalParts) >= LEAST_SCORE) return undefined
  return judge(beginning, []) < LEAST_SCORE ? 'common' : 'personal'
}

/** Whether hardly anything is left of a password without the user's own names: an attacker tries `anaflavia99` first on Ana Flávia. */
function isMadeOf(password: string, personalParts: readonly string[]): boolean {
  const longestFirst = personalParts.toSorted((one, other) => other.length - one.length)
  const rest = longestFirst.reduce((text, part) => text.replaceAll(part, ''), password)
  return rest !== password && rest.length < LEAST_OF_ONES_OWN
}

/** Lower case, without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

let loading: Promise<(password: string, personalParts: string[]) => number> | undefined

/** Common passwords of Brazil, in addition to the world's. */
const BRAZILIAN = [
  'senha',
  'brasil',
  'flamengo',
  'corinthians',
  'palmeiras',
  'saopaulo',
  'santos',
  'vasco',
  'gremio',
  'cruzeiro',
  'mudar',
  'teste',
  'familia',
  'jesus',
  'deus',
  'amor',
  'portaria',
]

async function load(): Promise<(password: string, personalParts: string[]) => number> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const judge = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary: { ...dictionary, brazilian: BRAZILIAN } })
  return (password, personalParts) => judge.check(password, personalParts).score
}
