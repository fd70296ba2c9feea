// Copies and prints recovery codes. Without it they are downloaded by a link, and the browser prints the page.
const codes = document.querySelector('.codes')
const [copy, print] = document.querySelectorAll('[data-codes]')

for (const button of [copy, print]) button.hidden = false
print.addEventListener('click', () => window.print())
copy.addEventListener('click', () => {
  const text = [...codes.children].map((code) => code.textContent).join('\n')
  void navigator.clipboard.writeText(text).then(
    () => (copy.textContent = copy.dataset.done),
    () => getSelection().selectAllChildren(codes),
  )
})
