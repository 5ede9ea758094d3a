/** Words in the passwords that are guessed first. */
export const COMMON_WORDS: readonly string[] = `
password passwort passw passwd parola contrasena motdepasse senha wachtwoord haslo secret geheim private confidential
welcome willkommen bienvenue hello letmein login logon signin access open sesame please trustno changeme change default
admin administrator root superuser user guest test testing tester demo sample example temp temporary master server
system computer internet network security website company office business manager support service team staff
qwerty qwertz azerty asdf zxcv iloveyou loveyou love lover lovely forever always princess prince queen king angel
monkey dragon tiger lion eagle falcon panther horse puppy kitty kitten doggy snoopy bunny butterfly dolphin chicken
sunshine sunflower flower rainbow summer winter spring autumn january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday morning night
football baseball basketball soccer hockey tennis golf rugby liverpool arsenal chelsea barcelona juventus yankees
cowboys steelers lakers ferrari porsche mercedes mustang corvette harley yamaha
superman batman spiderman starwars pokemon naruto minecraft fortnite playstation nintendo matrix hunter killer
shadow ninja warrior wizard legend phantom phoenix thunder lightning diamond silver golden purple orange banana apple
cookie cheese chocolate coffee pepper ginger sugar honey candy whatever nothing something freedom liberty victory
family mother father brother sister daddy mommy baby babygirl friend friends money dollar million lucky blessed jesus
christ heaven america canada england france germany london paris berlin
michael michelle jessica jennifer charlie daniel thomas george william robert andrew joshua matthew anthony jordan
ashley amanda nicole hannah samantha elizabeth alexander alexandra christopher patrick maria martin robin taylor
countersign verification verify telephone phone mobile message code portal account
`
  .trim()
  .split(/\s+/);
