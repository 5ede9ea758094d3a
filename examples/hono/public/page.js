const session = document.querySelector('#session');

/** The server says who is signed in; an event in the page proves nothing. */
async function showSession() {
  const { number } = await (await fetch('/me')).json();
  session.textContent = number === null ? 'You are not signed in.' : `You are signed in as ${number}.`;
}

document.addEventListener('countersign-confirmed', showSession);
showSession();
