// A button in each password field that shows what was typed. Pages work without it.
const { show, hide, what } = document.currentScript.dataset

for (const input of document.querySelectorAll('.typed-secret > input')) addReveal(input)

function addReveal(input) {
  const button = document.createElement('button')
  const verb = document.createElement('span')
  const noun = document.createElement('span')
  button.type = 'button'
  button.className = 'reveal'
  noun.className = 'unseen'
  noun.textContent = ` ${what}`
  button.setAttribute('aria-controls', input.id)
  button.append(verb, noun)
  const set = (isShown) => {
    input.type = isShown ? 'text' : 'password'
    verb.textContent = isShown ? hide : show
  }
  button.addEventListener('click', () => set(input.type === 'password'))
  // A browser offers to keep what stands in a password field, and nothing else.
  input.form?.addEventListener('submit', () => set(false))
  set(false)
  input.after(button)
}
