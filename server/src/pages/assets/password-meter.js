// Shows the strength of a password while it is typed. A hint for the user: the server judges, by better means.
const COMMON =
  '123456|password|qwerty|asdf|zxcvbn|qazwsx|1q2w3e|abc123|abcd|111111|000000|102030|112233|123123|654321|987654|senha|mudar|acesso|entrar|teste|admin|portaria|familia|brasil|brazil|flamengo|corinthians|palmeiras|saopaulo|santos|vasco|gremio|cruzeiro|botafogo|fluminense|jesus|deus|cristo|amor|princesa|gatinha|linda|lindo|estrela|bebe|maria|jose|joao|pedro|lucas|gabriel|rafael|julia|bruno|felipe|carlos|marcos|paulo|fernando|daniel|camila|amanda|leticia|vitoria|eduardo|gustavo|matheus|rodrigo|secret|welcome|letmein|login|master|dragon|monkey|shadow|football|soccer|iloveyou|sunshine|princess|superman|batman|pokemon|naruto|hello|love|freedom|trustno1|contrasena|hola|clave|access|michael|charlie'
    .split('|')
    .sort((a, b) => b.length - a.length)

for (const meter of document.querySelectorAll('.meter')) watch(meter)

function watch(meter) {
  const form = meter.closest('form')
  const password = form.querySelector('[name=password]')
  const personal = [...form.querySelectorAll('[name=name],[name=email],[name=username]')]
  const status = meter.querySelector('[role=status]')
  let pause
  const show = () => {
    const { level, reason } = judge(
      password.value,
      personal.map((input) => input.value),
    )
    meter.hidden = password.value === ''
    meter.dataset.level = level
    clearTimeout(pause)
    // A screen reader hears the outcome once the typing pauses.
    pause = setTimeout(() => {
      status.textContent = password.value && (meter.dataset[reason] ?? meter.dataset.levels.split('|')[level - 1])
    }, 250)
  }
  for (const input of [password, ...personal]) input.addEventListener('input', show)
  if (password.value) show()
}

// A level of 1 to 4, and why it is the lowest. What anyone would try first counts little, however long it is.
function judge(password, personal) {
  if ([...password].length < 8) return { level: 1, reason: 'short' }
  const own = personal.flatMap((text) => plain(text).split(/[\s@._-]+/)).filter((term) => term.length > 2)
  const rest = without(COMMON, plain(password))
  const left = without(own, rest)
  const weighed = Math.min(weight(left), weight(without(COMMON, unmasked(plain(password)))))
  if (left !== rest && weight(left) < 6) return { level: 1, reason: 'personal' }
  if (weighed < 6) return { level: 1, reason: 'common' }
  return { level: weighed < 9 ? 2 : weighed < 12 ? 3 : 4, reason: '' }
}

function plain(text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

// "p@ssw0rd" is no better than what it stands for.
function unmasked(text) {
  return text.replace(/[@013$]/g, (sign) => ({ '@': 'a', 0: 'o', 1: 'i', 3: 'e', $: 's' })[sign])
}

function without(terms, text) {
  return terms.reduce((rest, term) => rest.split(term).join(' '), text)
}

// How many characters would have to be guessed: a repetition, a step of one as in "abc" and a year count as one.
function weight(text) {
  const folded = text.replace(/(19|20)\d\d/g, ' ').replace(/(.+?)\1+/gu, '$1')
  let count = 0
  for (let at = 0; at < folded.length; at++) if (Math.abs(folded.charCodeAt(at) - folded.charCodeAt(at - 1)) !== 1) count++
  return count
}
