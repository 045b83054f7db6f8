//! Domain → plain view models. Tested natively; the components only draw them.
