/** A text of the graded set. */
export interface GradedText {
  id: string;
  title: string;
  body: string;
}

/**
 * A query with the texts that answer it. Grades: 3 is about the query, 2 helps, 1 mentions it; other texts have grade
 * 0.
 */
export interface GradedQuery {
  q: string;
  grades: Record<string, number>;
}

/** A long personal text that mentions many subjects and discusses none. */
const DIARY =
  'It has been a long week. On Monday the car would not start, on Tuesday the phone fell into the sink, and the garden is still under water. ' +
  'My sister came over with the kids and we watched a movie, ordered pizza and talked about the old house, the price of everything, and whether the city will ever fix the road. ' +
  'Work was the usual mix of meetings about meetings. Somebody asked whether we could move the server, the password policy changed again, and the new manager wants a report every day. ' +
  'In the evenings I read a little, went running twice, and tried to keep the tomatoes alive. The neighbour has bought a bike and shows it to everyone. ' +
  'I do not know why I write all of this down here, but it helps to think, and some of you have been kind enough to answer before. ';

/** What people say about a topic in a thread about everything: the words occur often, but answer no question. */
const CHATTER = {
  battery:
    'The phone battery jokes never get old. My battery, your battery, the battery of the office phone, and then the remote had no battery either. Swollen feet, solid shoes, state of mind: fine. ',
  router:
    'We still call the router the magic box. Somebody named the wifi after the dog, then the wifi after the cat, and nobody remembers the wifi of the router upstairs. ',
  tomato:
    'A tomato costs a fortune now. Yellow tomato, red tomato, green tomato, the leaves of the basil, the leaves in the yard, and a yellow umbrella on the balcony. ',
  visa: 'The visa card was declined in Portugal of all places. Remote control lost, remote village found, back to work on Monday, work never ends, and the other visa card works. ',
  postgres:
    'Someone wore a Postgres shirt. The index finger hurts, the index of the book is missing, and a slow query of the tax office arrived by slow post. Slow news day, slow index of prices. ',
  marathon:
    'The marathon of meetings goes on, training after training, fire training on Tuesday. A film marathon on Friday, then a training for the new software, and a marathon of cleaning. ',
  espresso:
    'First an espresso, then an espresso, then a sour apple. The espresso martini was sour too, sour cream on everything, and the espresso machine at work is out of order again. ',
  spanish:
    'Spanish wine, Spanish olives, a Spanish movie without subtitles. You live and learn, I learn that every week, and the children learn songs. A Spanish guest brought cheese. ',
  tax: 'A tax on fun is next, a tax on air after that. Rental cars, rental skis, rental costumes. Income like a student, income like a ghost, the tax joke wrote itself. ',
  cat: 'The cat video of the week: cat one, cat two, cat three. Eating contest at the fair, eating out twice, the cat of the neighbour is eating flowers. ',
  bike: 'The road to the lake is open. A bike in the tree, a bike in the river, a road in the fog, commuting as always, the bike song on repeat, and a road trip at last. ',
};

/** A thread that mentions many topics. */
const thread = (id: string, title: string, topics: (keyof typeof CHATTER)[]): GradedText => ({
  id,
  title,
  body: topics.map((topic) => CHATTER[topic] + DIARY).join(''),
});

/** Texts by topic; the last ones of a topic only mention its words in passing. Later texts are newer. */
export const GRADED_TEXTS: readonly GradedText[] = [
  {
    id: 'bat1',
    title: 'How to make a phone battery last longer',
    body: 'Keep it between 20 and 80 percent, avoid heat, and replace the battery after 800 cycles. A worn battery can be measured in the settings of the phone.',
  },
  {
    id: 'bat2',
    title: 'Swollen after one year',
    body: 'The battery of my phone is swollen and lifts the screen. Stop using it at once: a swollen battery is a fire risk. The shop replaced the battery for 60 euros.',
  },
  {
    id: 'bat3',
    title: 'Phone shuts down at 30 percent',
    body: 'Cold weather or an old battery. Calibrate it first, then have the battery tested.',
  },
  {
    id: 'bat4',
    title: 'Weekend diary: phone, car, garden',
    body: `${DIARY}${DIARY}The battery of the phone lasted a day. Then the battery of the car was flat, the phone rang, and later the phone was lost. ${DIARY}Nothing else about a phone or a battery today, the phone is charging, the battery is full.`,
  },
  {
    id: 'bat5',
    title: 'Solid state battery production starts',
    body: 'The first factory for solid state cells opens. A solid state battery stores twice the energy and does not burn.',
  },
  {
    id: 'bat6',
    title: 'State of the union, solid as ever',
    body: `The state paid for a solid new bridge, and the speech was solid too. ${DIARY}At the end somebody held a battery into the camera. The state of the state is solid, said the state senator.`,
  },
  {
    id: 'rout1',
    title: 'Router drops wifi every few minutes',
    body: 'Change the channel and update the firmware of the router. Wifi on 5 GHz was stable afterwards.',
  },
  {
    id: 'rout2',
    title: 'Best router for a large house',
    body: 'A mesh of three nodes covers it. A single router never reached the upper floor, so wifi there was slow.',
  },
  {
    id: 'rout3',
    title: 'Wifi slow but cable fast',
    body: 'The router sits behind the television. Move it, and use the 5 GHz band of the wifi.',
  },
  {
    id: 'rout4',
    title: 'Holiday flat checklist',
    body: `${DIARY}Towels, wifi, coffee, keys, wifi password, more towels. ${DIARY}The router was behind the sofa, which is where the cat sleeps, and wifi worked, wifi was fine, wifi is not everything.`,
  },
  {
    id: 'tom1',
    title: 'Tomato leaves turn yellow',
    body: 'Lower leaves turn yellow from too much water or too little nitrogen. Water the tomato in the morning and feed it every two weeks.',
  },
  {
    id: 'tom2',
    title: 'Blight on my tomatoes, what now',
    body: 'Remove every brown leaf, keep the plants dry, and do not plant a tomato in the same place next year.',
  },
  {
    id: 'tom3',
    title: 'Pasta with fresh tomato sauce',
    body: 'Ten tomatoes, garlic, oil and basil. Cook the tomatoes for an hour. The sauce keeps a week.',
  },
  {
    id: 'tom4',
    title: 'My first year with a garden',
    body: `${DIARY}Leaves everywhere, leaves on the lawn, yellow leaves, red leaves. One tomato survived. ${DIARY}Yellow is a nice colour for a shed, and a tomato costs less in the shop.`,
  },
  {
    id: 'vis1',
    title: 'Visa for remote work in Portugal',
    body: 'The digital nomad visa needs proof of income and health insurance. The consulate answered within six weeks.',
  },
  {
    id: 'vis2',
    title: 'Rejected visa, appeal or apply again?',
    body: 'An appeal takes months. Most lawyers advise to apply again with the missing documents of the visa.',
  },
  {
    id: 'vis3',
    title: 'Moving to Portugal with a dog',
    body: 'The dog needs a chip, a rabies vaccination and a health certificate. The visa of the owner is a different story.',
  },
  {
    id: 'vis4',
    title: 'Remote jobs thread',
    body: `${DIARY}Remote is fine, remote is lonely, remote pays less. Work from home, work from anywhere. ${DIARY}One of us works from Portugal and had visa trouble, the rest of us work from the kitchen. Work, work, work.`,
  },
  {
    id: 'sql1',
    title: 'Postgres query slow after adding an index',
    body: 'The planner chose a bitmap scan. Run ANALYZE, compare the plans, and drop the index if no query uses it.',
  },
  {
    id: 'sql2',
    title: 'When does Postgres use an index?',
    body: 'When the query is selective. For half of the table a sequential scan is faster than an index.',
  },
  {
    id: 'sql3',
    title: 'Composite index, which column first?',
    body: 'The column that is compared with equality goes first, the range second. One composite index often replaces two.',
  },
  {
    id: 'sql4',
    title: 'Book review: the index of everything',
    body: `${DIARY}The book has an index of forty pages and an index of the index. Slow to read, slow to begin, slow to end. ${DIARY}I have a query for the author: why an index? Postgres is mentioned once, on page nine.`,
  },
  {
    id: 'mar1',
    title: 'First marathon training plan',
    body: 'Sixteen weeks, four runs a week, one long run at an easy pace. The plan peaks three weeks before the marathon.',
  },
  {
    id: 'mar2',
    title: 'Knee pain during marathon training',
    body: 'Shorten the long run, strengthen the hips and see a physiotherapist when the knee is swollen.',
  },
  {
    id: 'mar3',
    title: 'Marathon of old films tonight',
    body: 'We begin at eight with the silent ones. Bring snacks, the marathon ends at dawn.',
  },
  {
    id: 'mar4',
    title: 'Things I did in spring',
    body: `${DIARY}Training for the new job, training for the dog, pain in the neck, knee on the table. ${DIARY}The marathon closed the street on Sunday, a training day was lost and the plan for the week too. Plan, plan, plan, long plan, first plan.`,
  },
  {
    id: 'cof1',
    title: 'Espresso tastes sour',
    body: 'Grind finer, raise the temperature and aim for 30 seconds. Sour espresso is under-extracted.',
  },
  {
    id: 'cof2',
    title: 'Cheap grinder for espresso',
    body: 'A hand grinder with steel burrs is enough for espresso and costs a third of an electric one.',
  },
  {
    id: 'cof3',
    title: 'Cold brew ratio',
    body: 'One part coffee, eight parts water, eighteen hours in the fridge. It never gets sour.',
  },
  {
    id: 'cof4',
    title: 'Cafe reviews of our town',
    body: `${DIARY}Espresso here, espresso there, a sour waiter, a sour cake. ${DIARY}The cheap place has a broken grinder, and the espresso machine hisses. Taste is personal, and it tastes of home.`,
  },
  {
    id: 'lan1',
    title: 'Learn Spanish in six months',
    body: 'Half an hour of vocabulary a day, a teacher twice a week, and films with Spanish subtitles.',
  },
  {
    id: 'lan2',
    title: 'Spanish or Portuguese first?',
    body: 'Spanish has more teachers and films; with it you learn to read Portuguese within weeks.',
  },
  {
    id: 'lan3',
    title: 'Which app to learn vocabulary',
    body: 'Any app with spaced repetition. Ten new words a day are enough to learn a language in a year.',
  },
  {
    id: 'lan4',
    title: 'Summer in Madrid',
    body: `${DIARY}Spanish food, Spanish sun, a Spanish friend of a friend. ${DIARY}One could learn a lot, they say you never stop to learn, and learn we did: bring water. Six months later I still have the tan.`,
  },
  {
    id: 'tax1',
    title: 'Tax on rental income',
    body: 'Rental income is taxed after costs: interest, repairs and insurance reduce the tax.',
  },
  {
    id: 'tax2',
    title: 'Forgot to declare rental income',
    body: 'Declare it yourself before the tax office writes. A voluntary correction avoids the penalty.',
  },
  {
    id: 'tax3',
    title: 'Is deposit income?',
    body: 'The deposit of a tenant is not income and no tax is due, as long as you pay it back.',
  },
  {
    id: 'tax4',
    title: 'Complaints about this city',
    body: `${DIARY}Tax here, tax there, a tax on dogs, a tax on beds. ${DIARY}Rental bikes block the path, rental cars too. My income is what it is, the income of the mayor is not.`,
  },
  {
    id: 'cat1',
    title: 'Cat stops eating after moving house',
    body: 'Stress. Give the cat one quiet room and its old bowl. A cat that has not eaten for two days must see a vet.',
  },
  {
    id: 'cat2',
    title: 'New kitten and old cat',
    body: 'Separate rooms for a week, then meals on both sides of a door. The old cat decides the pace.',
  },
  {
    id: 'cat3',
    title: 'Cat food with grain?',
    body: 'A cat needs meat. Grain is cheap filler, and many a cat stops eating it.',
  },
  {
    id: 'cat4',
    title: 'Moving house for the third time',
    body: `${DIARY}Boxes in the house, boxes before the house. Moving is eating our weekends, moving is tiring, moving day is Friday. ${DIARY}The cat watches. The new house has stairs, the old house had none.`,
  },
  {
    id: 'bik1',
    title: 'Gravel bike or road bike for commuting',
    body: 'Gravel: wider tyres, mudguards, and a road bike is only faster on smooth road.',
  },
  {
    id: 'bik2',
    title: 'Bike chain skips under load',
    body: 'The chain is worn or the cassette is. Measure the chain, replace both when it is stretched.',
  },
  {
    id: 'bik3',
    title: 'Is commuting by bike worth it?',
    body: 'Twenty minutes instead of forty by bus, and no gym. The bike paid for itself in a year.',
  },
  {
    id: 'bik4',
    title: 'Roadworks',
    body: `${DIARY}The road is closed, the road will stay closed, gravel on the road and gravel in the shoe. ${DIARY}A bike lay there for a week. Commuting takes an hour now.`,
  },
  {
    id: 'bat7',
    title: 'Is this normal?',
    body: 'Lost 12 percent overnight, the phone is two months old. Settings say the battery is at 97 percent of its capacity.',
  },
  {
    id: 'bat8',
    title: 'Looks like a pillow',
    body: 'Laptop does not close any more because the battery is swollen. Can I drive it to the recycling centre?',
  },
  {
    id: 'rout5',
    title: 'Please help before I go mad',
    body: 'Every evening the wifi is gone for ten minutes. The provider blames the router, the shop blames the provider.',
  },
  {
    id: 'tom5',
    title: 'What is wrong with these?',
    body: 'Spots first, then the leaves go yellow and drop. Six tomato plants in pots, south side.',
  },
  {
    id: 'vis5',
    title: 'Nine months later',
    body: 'I work remote for a company in Berlin and got the visa last week: bank statements, lease, criminal record, in this order.',
  },
  {
    id: 'sql5',
    title: 'Why is it slow only on Mondays?',
    body: 'Same query, same Postgres. After the weekly import the index is bloated; REINDEX CONCURRENTLY fixed it.',
  },
  {
    id: 'mar5',
    title: 'Undertrained, six weeks to go',
    body: 'Missed a month of training through illness. Do I defer the marathon or walk parts of it?',
  },
  {
    id: 'cof5',
    title: 'What am I doing wrong?',
    body: 'Fresh beans, 18 grams in, 36 out, and the espresso is still sour. The grinder is new.',
  },
  {
    id: 'lan5',
    title: 'Plateau after a year',
    body: 'I learn Spanish alone and understand films, but cannot speak. A tutor twice a week changed that.',
  },
  {
    id: 'tax5',
    title: 'Letter from the authorities',
    body: 'They estimate the rental income of my flat and want the tax by March, although it stood empty.',
  },
  {
    id: 'cat5',
    title: 'Vet says nothing is wrong',
    body: 'Our cat is eating only at night, and only when somebody sits beside it.',
  },
  {
    id: 'bik5',
    title: 'Two months without a car',
    body: 'Commuting 14 km each way, on a bike from a police auction. Rain is the easy part, parking is not.',
  },
  thread('thr1', 'Free talk Friday', ['battery', 'router', 'tomato', 'visa', 'postgres', 'marathon']),
  thread('thr2', 'Daily discussion', ['espresso', 'spanish', 'tax', 'cat', 'bike', 'battery']),
  thread('thr3', 'Off topic: say anything', ['battery', 'tomato', 'postgres', 'espresso', 'tax', 'bike']),
  thread('thr4', 'The monthly lounge', ['router', 'visa', 'marathon', 'spanish', 'cat']),
  thread('thr5', 'Late night chat', ['battery', 'visa', 'espresso', 'cat', 'marathon', 'tax']),
  thread('thr6', 'What happened to you this week?', ['router', 'tomato', 'spanish', 'bike', 'postgres']),
];

/** Queries as people type them. */
export const GRADED_QUERIES: readonly GradedQuery[] = [
  { q: 'phone battery', grades: { bat1: 3, bat2: 3, bat3: 3, bat7: 3 } },
  { q: 'battery', grades: { bat1: 3, bat2: 3, bat3: 2, bat5: 3, bat7: 3, bat8: 3 } },
  { q: 'swollen battery', grades: { bat2: 3, bat8: 3, bat1: 1 } },
  { q: 'solid state battery', grades: { bat5: 3 } },
  { q: 'swollen OR battery', grades: { bat2: 3, bat8: 3, bat1: 2, bat3: 2, bat5: 2, bat7: 2 } },
  { q: 'wifi router', grades: { rout1: 3, rout3: 3, rout2: 2, rout5: 3 } },
  { q: 'wifi', grades: { rout1: 3, rout3: 3, rout2: 2, rout5: 3 } },
  { q: 'yellow tomato leaves', grades: { tom1: 3, tom5: 3 } },
  { q: 'tomato', grades: { tom1: 3, tom2: 3, tom3: 2, tom5: 3 } },
  { q: 'remote work visa', grades: { vis1: 3, vis5: 3, vis4: 1 } },
  { q: 'visa portugal', grades: { vis1: 3, vis3: 1, vis4: 1 } },
  { q: 'index', grades: { sql1: 2, sql2: 3, sql3: 3, sql5: 2 } },
  { q: 'postgres index slow', grades: { sql1: 3, sql5: 3 } },
  { q: 'marathon training', grades: { mar1: 3, mar2: 3, mar5: 3 } },
  { q: 'marathon OR training', grades: { mar1: 3, mar2: 3, mar5: 3, mar3: 1 } },
  { q: 'espresso', grades: { cof1: 3, cof2: 3, cof5: 3 } },
  { q: 'sour espresso', grades: { cof1: 3, cof5: 3 } },
  { q: 'learn spanish', grades: { lan1: 3, lan2: 2, lan5: 3 } },
  { q: 'rental income tax', grades: { tax1: 3, tax2: 3, tax5: 3 } },
  { q: 'cat eating', grades: { cat1: 3, cat3: 2, cat5: 3 } },
  { q: 'road bike', grades: { bik1: 3 } },
  { q: 'commuting bike', grades: { bik1: 3, bik3: 3, bik5: 3 } },
];
