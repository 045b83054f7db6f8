//! What a clause takes from those before it: what its pronouns mean.

use super::{
    frame::{Arg, Discourse, Frame, flat},
    lexicon::{Act, Form},
    phrase::{Head, Item, Np, Owner, Part},
};

/// What pronouns may mean at a place in a sentence.
pub struct Antecedents<'a> {
    /// The clauses before it.
    pub frames: &'a [Frame],
    /// What stands before the verb.
    pub pre: &'a [Part],
    /// What stands before the first verb of the sentence.
    pub opening: &'a [Part],
    /// What earlier sentences have left.
    pub discourse: &'a Discourse,
}

impl Antecedents<'_> {
    /// Pronouns by what went before.
    pub fn resolve(&self, arg: Arg) -> Arg {
        let Arg::Np(np, span) = &arg else {
            return match arg {
                Arg::Any(all) => Arg::Any(all.into_iter().map(|a| self.resolve(a)).collect()),
                other => other,
            };
        };
        match np.head {
            Head::ThisMove => Arg::Played,
            Head::It => {
                let mut all = self.candidates();
                if all.is_empty() {
                    all.push(Arg::Played);
                }
                flat(all)
            }
            Head::He => {
                let side = self
                    .mentioned()
                    .into_iter()
                    .find(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Side));
                side.unwrap_or_else(|| {
                    Arg::Np(
                        Np {
                            owner: Some(Owner::Theirs),
                            ..Np::of(Head::Side)
                        },
                        span.clone(),
                    )
                })
            }
            Head::They => match self.last_many() {
                Some(many) => many,
                None => Arg::Np(np.clone(), span.clone()),
            },
            _ => arg,
        }
    }

    fn last_many(&self) -> Option<Arg> {
        let here = self
            .frames
            .iter()
            .rev()
            .flat_map(|f| f.subject.iter().cloned().chain(f.objects()));
        here.into_iter()
            .find(|a| matches!(a, Arg::Np(np, _) if np.plural && np.is_men()))
            .or_else(|| self.discourse.many.clone())
    }

    /// What "it" may be: the last clause's subject, the last man or move mentioned.
    fn candidates(&self) -> Vec<Arg> {
        let mut all = self.mentioned();
        // "It" is no side.
        all.retain(|arg| !matches!(arg, Arg::Np(np, _) if matches!(np.head, Head::Side | Head::Speaker)));
        all.truncate(5);
        all
    }

    fn mentioned(&self) -> Vec<Arg> {
        let mut all: Vec<Arg> = Vec::new();
        match self.frames.last() {
            Some(last) => {
                all.extend(last.subject.iter().cloned());
                // "Look at the king: it attacks": what one is asked to look at.
                let shown = matches!(last.verb.act, Act::Plan | Act::Consider | Act::Other)
                    && last.verb.form == Form::Base
                    && last
                        .post
                        .iter()
                        .any(|p| matches!(&p.item, Item::Np(np) if np.is_men() && !np.plural));
                if last.subject.is_empty() && !shown {
                    all.push(Arg::Played);
                }
                for part in last.post.iter().rev() {
                    match &part.item {
                        Item::Np(np) if np.is_men() && !np.plural => all.push(Arg::Np(np.clone(), part.span.clone())),
                        Item::Move(word) => all.push(Arg::Move(word.clone(), part.span.clone())),
                        // "the rook attacks it: it hangs": what the first "it" meant.
                        Item::Np(np) if np.head == Head::It && self.frames.len() == 1 => {
                            all.extend(self.discourse.subject.clone());
                        }
                        _ => {}
                    }
                }
                // "The pawn is defended, but the knight can take it and win: it hangs."
                let earlier = self.frames.iter().rev().skip(1).flat_map(|frame| &frame.subject);
                let men = earlier.filter(|arg| matches!(arg, Arg::Np(np, _) if np.is_men() && !np.plural));
                all.extend(men.cloned());
            }
            None => {
                for part in self.pre.iter().chain(self.opening).rev() {
                    if let Item::Np(np) = &part.item
                        && np.is_men()
                        && !np.plural
                    {
                        all.push(Arg::Np(np.clone(), part.span.clone()));
                    }
                }
                // "Look at the king: it attacks": no other man is meant.
                if !all.is_empty() {
                    return all;
                }
                all.extend(self.discourse.subject.clone());
                all.extend(self.discourse.men.clone());
                if !all.iter().any(|a| matches!(a, Arg::Played)) {
                    all.push(Arg::Played);
                }
            }
        }
        all
    }
}
